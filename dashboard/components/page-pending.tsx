import { Skeleton, Stack } from '@mantine/core'

/** While a page's first data is on its way: the shape of a page, not a spinner. */
export function PagePending() {
  return (
    <Stack gap="sm" p="md" aria-busy="true" aria-label="Loading">
      <Skeleton height={20} width={180} />
      {Array.from({ length: 8 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of nothing have no other key
        <Skeleton key={row} height={14} />
      ))}
    </Stack>
  )
}
