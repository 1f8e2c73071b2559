const HEAP = "infetch.heap";

/** The library's worker script, which then also tells how large its memory is. The library does not. */
const telling = (script: Blob): Blob =>
  new Blob(
    [
      script,
      `;addEventListener("message", ({ data }) => {
        if (data?.verb === "${HEAP}") postMessage({ verb: "${HEAP}", bytes: Module.HEAPU8.byteLength });
      });`,
    ],
    { type: script.type },
  );

/** Opens wllama. @returns what was opened, and a function for the bytes of its WebAssembly memory, which never shrinks */
export async function withHeapSize<T>(
  open: () => Promise<T>,
): Promise<{ opened: T; heapBytes: () => Promise<number> }> {
  const { Worker: OriginalWorker } = globalThis;
  const { createObjectURL } = URL;
  let worker: Worker | undefined;
  URL.createObjectURL = (script) => createObjectURL.call(URL, telling(script as Blob));
  globalThis.Worker = class extends OriginalWorker {
    constructor(...parameters: ConstructorParameters<typeof OriginalWorker>) {
      super(...parameters);
      worker ??= this;
    }
  };
  const heapBytes = () =>
    new Promise<number>((resolve) => {
      const listen = ({ data }: MessageEvent): void => {
        if (data?.verb !== HEAP) return;
        worker!.removeEventListener("message", listen);
        resolve(data.bytes);
      };
      worker!.addEventListener("message", listen);
      worker!.postMessage({ verb: HEAP });
    });
  try {
    return { opened: await open(), heapBytes };
  } finally {
    globalThis.Worker = OriginalWorker;
    URL.createObjectURL = createObjectURL;
  }
}
