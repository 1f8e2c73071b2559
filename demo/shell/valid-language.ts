/**
 * Gives libraries a language that `Intl` takes: without a locale, WebKitGTK's is "C", for which the chart library throws.
 * Call once, before they load.
 */
export function requireValidLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, "language", { value: "en", configurable: true });
  }
}
