const KIB = 1024
const MIB = KIB ** 2
const GIB = KIB ** 3

/** A number of bytes as a text for operators, such as `12 MiB`. */
export function sizeText(bytes: number): string {
  if (bytes >= GIB) return `${(bytes / GIB).toFixed(1)} GiB`
  return bytes >= MIB ? `${Math.round(bytes / MIB)} MiB` : `${Math.round(bytes / KIB)} KiB`
}
