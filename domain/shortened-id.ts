/** The first eight characters of an id that not everybody may see in full (R25-100, AM-45). */
export function shortened(id: string): string {
  return `${id.slice(0, 8)}…`;
}
