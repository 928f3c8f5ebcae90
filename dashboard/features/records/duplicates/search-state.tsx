// The time of the latest search, and the progress of a running one.
import { Button, Group, Progress, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { formatCount } from '../../../../contract/counted.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { recordsKey } from '../../../shared/api/records.ts'
import { toastError } from '../../../shared/toast.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { TimeAgo } from '../../../ui/time.tsx'
import {
  cancelDuplicateSearch,
  type DuplicateSearch,
  duplicateSearchQuery,
  startDuplicateSearch,
} from '../api/duplicates.ts'

interface SearchProps {
  object: ObjectWithAttributes
}

/** Starts and cancels searches, and reloads the groups when a search ends. */
function useSearch({ object: { slug } }: SearchProps) {
  const org = useOrg()
  const client = useQueryClient()
  const { data: search } = useQuery(duplicateSearchQuery(org, slug))
  const refresh = () => client.invalidateQueries({ queryKey: duplicateSearchQuery(org, slug).queryKey })
  const start = useMutation({
    mutationFn: () => startDuplicateSearch(org, slug),
    onError: (error) => toastError(error),
    onSettled: refresh,
  })
  const cancel = useMutation({
    mutationFn: () => cancelDuplicateSearch(org, slug),
    onError: (error) => toastError(error),
    onSettled: refresh,
  })
  const foundAt = search?.foundAt
  useEffect(() => {
    if (foundAt) void client.invalidateQueries({ queryKey: [...recordsKey(org, slug), 'duplicates'] })
  }, [client, org, slug, foundAt])
  return { search, start, cancel }
}

function Running({ search, onCancel }: { search: DuplicateSearch; onCancel(): void }) {
  const words = `${formatCount(search.seen)} of ${formatCount(search.total)} compared`
  return (
    <div className="stack gap-6" role="status">
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">Searching: {words}</Text>
        <Button variant="default" onClick={onCancel}>
          Cancel search
        </Button>
      </Group>
      <Progress value={(search.seen / Math.max(1, search.total)) * 100} aria-label={words} />
    </div>
  )
}

function Found({ search }: { search: DuplicateSearch | null }) {
  if (!search?.foundAt) return <span>Not searched yet</span>
  return (
    <span>
      Found <TimeAgo value={search.foundAt} />
    </span>
  )
}

/** @param children the filter of the groups */
export function SearchState({ object, children }: SearchProps & { children: ReactNode }) {
  const { search, start, cancel } = useSearch({ object })
  const isRunning = search?.state === 'running'
  return (
    <div className="stack gap-12">
      <Group justify="space-between" mih={32}>
        {children}
        {search !== undefined && (
          <Group gap="sm">
            <Text size="sm" c="dimmed">
              <Found search={search} />
            </Text>
            {!isRunning && (
              <Button
                variant={search?.foundAt ? 'default' : 'filled'}
                disabled={!object.isActive}
                loading={start.isPending}
                onClick={() => start.mutate()}
              >
                {search?.foundAt ? 'Search again' : 'Find duplicates'}
              </Button>
            )}
          </Group>
        )}
      </Group>
      {isRunning && <Running search={search} onCancel={() => cancel.mutate()} />}
    </div>
  )
}
