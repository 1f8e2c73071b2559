/** Local time of a city, from the browser's time zones. */

/** Finds a time zone by city: "New York" → America/New_York, "São Paulo" → America/Sao_Paulo. */
function zoneOf(city: string): string | undefined {
  const wanted = city.normalize("NFD").replace(/\p{M}/gu, "").trim().replace(/\s+/g, "_").toLowerCase();
  if (wanted === "") return undefined;
  const listed = Intl.supportedValuesOf("timeZone");
  const found = listed.find((zone) => zone.toLowerCase().split("/").at(-1) === wanted);
  if (found !== undefined) return found;
  // Browsers list one name of each zone, often the older one (Asia/Calcutta), and know the others.
  const areas = new Set(listed.map((zone) => zone.split("/", 1)[0]!));
  return [...areas].map((area) => `${area}/${wanted}`).find(isZone);
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** @throws if no time zone is named after the city */
export function timeIn(city: string, now: Date): string {
  const timeZone = zoneOf(city);
  if (timeZone === undefined) throw new Error("no time zone is named after this city");
  return now.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone });
}
