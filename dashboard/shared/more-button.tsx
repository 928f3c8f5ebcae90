// The button below a list that has more items.
import { Button, type ButtonProps } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'

interface MoreButtonProps extends Pick<ButtonProps, 'mt'> {
  list: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>
  label?: string
}

export function MoreButton({ list, label = 'Show more', mt }: MoreButtonProps) {
  if (!list.hasNextPage) return null
  return (
    <Button
      variant="default"
      mt={mt}
      loading={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      {label}
    </Button>
  )
}
