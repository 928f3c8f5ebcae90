// Numbers of things, in words.

/** "1 company", "1,204 companies" */
export const counted = (
  { singularName, pluralName }: { singularName: string; pluralName: string },
  count: number,
): string => `${count.toLocaleString()} ${(count === 1 ? singularName : pluralName).toLowerCase()}`

/** "1 reference", "3 references" */
export const plural = (count: number, one: string, many: string): string =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`
