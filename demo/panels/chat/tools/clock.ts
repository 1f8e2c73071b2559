/** What time it is somewhere, from the time zones that the browser knows. */

/** The zone named after the city: "New York" → America/New_York. */
function zoneOf(city: string): string | undefined {
  const wanted = city.trim().replaceAll(" ", "_").toLowerCase();
  if (wanted === "") return undefined;
  return Intl.supportedValuesOf("timeZone").find((zone) => zone.toLowerCase().split("/").at(-1) === wanted);
}

/** @throws when no time zone is named after the city */
export function timeIn(city: string, now: Date): string {
  const timeZone = zoneOf(city);
  if (timeZone === undefined) throw new Error("no time zone is named after this city");
  return now.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone });
}
