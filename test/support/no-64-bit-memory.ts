/** A script for a page: its `WebAssembly` has no 64-bit memory, so that llama.cpp runs in its compatible build. */
export const NO_64_BIT_MEMORY = `{
  const Memory = WebAssembly.Memory;
  WebAssembly.Memory = function (descriptor) {
    if (descriptor.address) throw new TypeError("no 64-bit memory");
    return new Memory(descriptor);
  };
}`;
