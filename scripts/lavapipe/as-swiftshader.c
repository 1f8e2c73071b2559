/*
 * A Vulkan driver that is Mesa's lavapipe under SwiftShader's vendor and device numbers. Chromium gives pages no other
 * software adapter, because it uploads canvases to SwiftShader without sharing memory, which lavapipe cannot share.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

typedef void (*Function)(void);

static void *driver(void) {
  static void *handle;
  if (!handle) handle = dlopen(LAVAPIPE, RTLD_NOW | RTLD_LOCAL);
  return handle;
}

static void (*get)(void *, uint32_t *);
static void (*get2)(void *, char *);

/* VkPhysicalDeviceProperties begins with the versions of API and driver, then these two. */
static void rename_device(uint32_t *properties) {
  properties[2] = 0x1AE0;
  properties[3] = 0xC0DE;
}
static void renamed(void *device, uint32_t *properties) {
  get(device, properties);
  rename_device(properties);
}
/* VkPhysicalDeviceProperties2 holds them after a type and a pointer. */
static void renamed2(void *device, char *properties) {
  get2(device, properties);
  rename_device((uint32_t *)(properties + 16));
}

static Function wrap(const char *name, Function found) {
  if (!found) return found;
  if (!strcmp(name, "vkGetPhysicalDeviceProperties")) {
    get = (void (*)(void *, uint32_t *))found;
    return (Function)renamed;
  }
  if (!strcmp(name, "vkGetPhysicalDeviceProperties2") || !strcmp(name, "vkGetPhysicalDeviceProperties2KHR")) {
    get2 = (void (*)(void *, char *))found;
    return (Function)renamed2;
  }
  return found;
}

static Function look_up(const char *entry, void *instance, const char *name) {
  Function (*next)(void *, const char *) = (Function (*)(void *, const char *))dlsym(driver(), entry);
  return next ? wrap(name, next(instance, name)) : 0;
}

Function vk_icdGetInstanceProcAddr(void *instance, const char *name) {
  return look_up("vk_icdGetInstanceProcAddr", instance, name);
}
Function vk_icdGetPhysicalDeviceProcAddr(void *instance, const char *name) {
  return look_up("vk_icdGetPhysicalDeviceProcAddr", instance, name);
}
int vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version) {
  int (*next)(uint32_t *) = (int (*)(uint32_t *))dlsym(driver(), "vk_icdNegotiateLoaderICDInterfaceVersion");
  return next(version);
}
