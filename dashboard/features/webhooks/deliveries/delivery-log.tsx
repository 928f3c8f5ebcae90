// The live log of deliveries to an endpoint. A delivery opens next to the log.
import { Button, Group } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { CloudOff, Inbox, SearchX } from 'lucide-react'
import { counted } from '../../../../contract/counted.ts'
import { messageOf } from '../../../shared/api/errors.ts'
import { EmptyState } from '../../../shared/state.tsx'
import { Waiting } from '../../../shared/waiting.tsx'
import { useShortcuts } from '../../../ui/use-shortcuts.ts'
import type { Delivery } from '../api/webhooks.ts'
import { usePortal } from '../space.tsx'
import { DeliveryPane } from './delivery-pane.tsx'
import { LogFilterBar } from './log-filter-bar.tsx'
import { isFiltered } from './log-filters.ts'
import { LogTable } from './log-table.tsx'
import { Replays } from './replays.tsx'
import { useDeliveries } from './use-deliveries.ts'
import { useLogSearch } from './use-log-search.ts'

/** Width in pixels. In a narrower log, a delivery opens above the log. */
const TWO_COLUMNS_MIN = 840
const ONE_COLUMN = 'minmax(0, 1fr)'
const TWO_COLUMNS = '300px minmax(0, 1fr)'

type Log = ReturnType<typeof useDeliveries>

function Nothing() {
  const { search, filter } = useLogSearch()
  if (!isFiltered(search))
    return (
      <EmptyState icon={Inbox} title="Nothing was sent yet">
        Deliveries appear here as they happen. Send a test event to see the first one.
      </EmptyState>
    )
  const all = { state: undefined, type: undefined, period: undefined, from: undefined, to: undefined }
  const clear = (
    <Button variant="default" onClick={() => filter(all)}>
      Show all deliveries
    </Button>
  )
  return (
    <EmptyState icon={SearchX} title="No matching deliveries" action={clear}>
      Choose another state, type or time.
    </EmptyState>
  )
}

function Foot({ pages: { hasNextPage, isFetchingNextPage, fetchNextPage } }: Log) {
  const { eventDays } = usePortal()
  return (
    <Group justify="center" mih={44} c="dimmed" fz="sm">
      {hasNextPage ? (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Load older
        </Button>
      ) : (
        <span>Deliveries are kept for {counted(eventDays, 'day')}.</span>
      )}
    </Group>
  )
}

function List({
  log,
  search,
  onOpen,
}: {
  log: Log
  search: { delivery?: string }
  onOpen(id: string): void
}) {
  const { isPending, error } = log.pages
  if (isPending || (error && log.deliveries.length === 0)) return <Waiting query={log.pages} />
  if (log.deliveries.length === 0) return <Nothing />
  return (
    <>
      <LogTable deliveries={log.deliveries} open={search.delivery} onOpen={onOpen} />
      <Foot {...log} />
    </>
  )
}

function Stale({ because }: { because: unknown }) {
  return (
    <div className="row gap-8 danger small" role="status">
      <CloudOff size={14} aria-hidden />
      This list is not up to date: {messageOf(because)}
    </div>
  )
}

/** @param step 1: the next delivery down the log. Without an open delivery, returns the first one. */
function neighbour(deliveries: readonly Delivery[], open: string | undefined, step: 1 | -1) {
  const place = deliveries.findIndex(({ id }) => id === open)
  return (place === -1 ? deliveries[0] : deliveries[place + step])?.id
}

export function DeliveryLog({ endpointId }: { endpointId: string }) {
  const { search, filter, open } = useLogSearch()
  const log = useDeliveries(endpointId, search)
  const { ref, width } = useElementSize()
  const go = (step: 1 | -1) => {
    const id = neighbour(log.deliveries, search.delivery, step)
    return id === undefined || id === search.delivery ? undefined : () => open(id)
  }
  useShortcuts([
    ['j', () => go(1)?.()],
    ['k', () => go(-1)?.()],
  ])
  const isSideBySide = width >= TWO_COLUMNS_MIN
  const hasTwo = isSideBySide && search.delivery !== undefined
  return (
    <div className="stack shrink gap-12" ref={ref}>
      <Replays endpointId={endpointId} />
      <LogFilterBar search={search} onChange={filter} />
      {log.staleBecause !== undefined && <Stale because={log.staleBecause} />}
      <div className="grid start gap-16" style={{ gridTemplateColumns: hasTwo ? TWO_COLUMNS : ONE_COLUMN }}>
        <div className="shrink" style={{ containerType: 'inline-size' }}>
          <List log={log} search={search} onOpen={open} />
        </div>
        {search.delivery !== undefined && width > 0 && (
          <DeliveryPane
            id={search.delivery}
            isSideBySide={isSideBySide}
            onClose={() => open(undefined)}
            onNext={go(1)}
            onPrevious={go(-1)}
          />
        )}
      </div>
    </div>
  )
}
