import { Skeleton, Stack } from '@mantine/core'

/** While a page's first data is on its way: the shape of a page, not a spinner. */
export function PagePending() {
  return (
    <>
      <h1 className="visually-hidden">Loading</h1>
      <PartPending />
    </>
  )
}

/** The same for what fills a page that has its title already. */
export function PartPending() {
  return (
    <Stack gap="sm" p="md" aria-busy="true">
      <Skeleton height={20} width={180} />
      {Array.from({ length: 8 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of nothing have no other key
        <Skeleton key={row} height={14} />
      ))}
    </Stack>
  )
}
