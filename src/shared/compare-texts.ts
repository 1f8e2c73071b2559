/** By code points, as Python; JavaScript's `<` compares UTF-16 units. */
export function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  let at = 0;
  while (left[at] === right[at]) at++;
  const unit = (text: string): number => {
    const code = text.charCodeAt(at);
    // Surrogates stand for characters above all others.
    return Number.isNaN(code) ? -1 : code >= 0xd800 && code <= 0xdfff ? code + 0x10000 : code;
  };
  return unit(left) - unit(right);
}
