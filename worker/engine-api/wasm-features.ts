/** Whether WebAssembly supports 64-bit memory here. Safari 27.2 does not. */
export function hasMemory64(): boolean {
  try {
    new WebAssembly.Memory({ address: "i64", initial: 1n } as unknown as WebAssembly.MemoryDescriptor);
    return true;
  } catch {
    return false;
  }
}

/** Whether WebAssembly can wait for promises here (JSPI), as since Chrome 137, Firefox 153 and Safari 27. */
export function hasJSPI(): boolean {
  return "Suspending" in WebAssembly;
}
