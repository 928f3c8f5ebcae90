import { Skeleton, Stack } from '@mantine/core'

/** Placeholder while the first data of a page loads: the outline of a page, not a spinner. */
export function PagePending() {
  return (
    <>
      <h1 className="visually-hidden">Loading</h1>
      <PartPending />
    </>
  )
}

/** The same for the content of a page that already shows its title. */
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
