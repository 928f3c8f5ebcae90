// The eight groups of an IPv6 address.

/** The WHATWG URL parser normalizes every form of an IPv6 address: groups in hexadecimal, `::` at most once. */
export function groupsOf6(text: string): string[] {
  const [head = '', tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::')
  const [before, after] = [head, tail ?? ''].map((part) => part.split(':').filter((group) => group !== ''))
  const [left, right] = [before ?? [], after ?? []]
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
}
