/** The first name that is not taken: `Big deal alert 2`. */
export function freeName(name: string, taken: readonly string[]): string {
  const others = new Set(taken)
  if (!others.has(name)) return name
  for (let count = 2; ; count++) if (!others.has(`${name} ${count}`)) return `${name} ${count}`
}
