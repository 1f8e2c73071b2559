/** Whether WebAssembly supports 64-bit memory here. Safari does not. */
export function hasMemory64(): boolean {
  try {
    new WebAssembly.Memory({ address: "i64", initial: 1n } as unknown as WebAssembly.MemoryDescriptor);
    return true;
  } catch {
    return false;
  }
}

/** Whether WebAssembly can wait for promises here (JSPI). Safari and Firefox cannot. */
export function hasJSPI(): boolean {
  return "Suspending" in WebAssembly;
}
