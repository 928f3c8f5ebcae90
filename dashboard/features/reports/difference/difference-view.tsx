// Compares two runs of a report.
import { Button, Group, List, Switch, Text } from '@mantine/core'
import { Equal, Info, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import { countedAll, formatCount } from '../../../../contract/counted.ts'
import type { ReportRunDetail } from '../../../../contract/reports.ts'
import { EmptyState } from '../../../shared/state.tsx'
import { dateFormat } from '../../../ui/dates.ts'
import { useDefinitionWords } from '../words/use-definition-words.ts'
import { countKinds, type Difference, differenceOf } from './difference.ts'
import { DifferenceTable } from './difference-table.tsx'
import { sentenceChanges } from './sentence-changes.ts'

type Run = ReportRunDetail['run']

const exact = dateFormat({ dateStyle: 'medium', timeStyle: 'medium' })

function Time({ run }: { run: Run }) {
  return <time dateTime={run.startedAt}>{exact.format(new Date(run.startedAt))}</time>
}

/** Shows changes of the definition, because then not all differences come from records. */
function DefinitionChanges({ before, after }: { before: Run; after: Run }) {
  const [asked, asks] = [useDefinitionWords(before.definition), useDefinitionWords(after.definition)]
  const changes = asked && asks ? sentenceChanges(asked, asks) : []
  if (changes.length === 0) return null
  return (
    <div className="note" role="note">
      <Info className="muted" size={14} aria-hidden />
      <div>
        The report was changed between the two runs. Only what both have is compared.
        <List size="sm" mt={4}>
          {changes.map(({ label, from, to }) => (
            <List.Item key={label}>
              <strong>{label}</strong>{' '}
              {from === undefined ? <em className="muted">nothing</em> : <del className="muted">{from}</del>}{' '}
              <span role="img" aria-label="became">
                →
              </span>{' '}
              {to ?? <em className="muted">nothing</em>}
            </List.Item>
          ))}
        </List>
      </div>
    </div>
  )
}

function Counts({ difference }: { difference: Difference }) {
  const { added, removed, changed, same } = countKinds(difference.rows)
  const words = [
    added > 0 && `${formatCount(added)} added`,
    removed > 0 && `${formatCount(removed)} removed`,
    changed > 0 && `${formatCount(changed)} changed`,
    same > 0 && `${formatCount(same)} the same`,
  ].filter(Boolean)
  return <Text c="dimmed">{words.join(' · ')}</Text>
}

function Rows({ difference }: { difference: Difference }) {
  const [onlyChanges, setOnlyChanges] = useState(true)
  const { same } = countKinds(difference.rows)
  const isEqual = same === difference.rows.length
  return (
    <>
      <Group justify="space-between" gap="8px 16px">
        <Counts difference={difference} />
        {same > 0 && (
          <Switch
            label="Only changes"
            checked={onlyChanges}
            onChange={({ currentTarget }) => setOnlyChanges(currentTarget.checked)}
          />
        )}
      </Group>
      {isEqual && onlyChanges && (
        <EmptyState icon={Equal} title="No differences">
          {difference.rows.length === 0 ? 'Neither run has rows.' : 'Both runs have the same rows.'}
        </EmptyState>
      )}
      <DifferenceTable difference={difference} onlyChanges={onlyChanges} />
    </>
  )
}

function LeftOut({ difference, isCut }: { difference: Difference; isCut: boolean }) {
  const lone = countedAll([[difference.onlyBefore.length + difference.onlyAfter.length, 'column']])
  if (!lone && !isCut) return null
  return (
    <Text c="dimmed">
      {lone && `${lone} that only one of them has ${lone.startsWith('1 ') ? 'is' : 'are'} left out. `}
      {isCut &&
        'There were more rows than the report keeps: an added or removed row may only have crossed that limit.'}
    </Text>
  )
}

const WITHOUT_RESULTS: Readonly<Record<Run['status'], string>> = {
  completed: 'has results that cannot be read',
  failed: 'failed',
  running: 'is still running',
}

/** @param lacking which of the two runs have no results */
function Incomparable({ lacking: [one, other] }: { lacking: readonly Run[] }) {
  if (!one)
    return (
      <EmptyState icon={Info} title="They cannot be compared">
        The two runs are grouped differently, so their rows do not match.
      </EmptyState>
    )
  return (
    <EmptyState icon={Info} title="There are no results to compare">
      {other ? (
        'Neither of the two runs has results.'
      ) : (
        <>
          The run of <Time run={one} /> {WITHOUT_RESULTS[one.status]}.
        </>
      )}
    </EmptyState>
  )
}

interface DifferenceViewProps {
  /** The two runs, in any order. */
  runs: readonly [Run, Run]
  onClose(): void
}

export function DifferenceView({ runs, onClose }: DifferenceViewProps) {
  const [before, after] = runs[0].startedAt <= runs[1].startedAt ? runs : [runs[1], runs[0]]
  const difference = useMemo(
    () => (before.results && after.results ? differenceOf(before.results, after.results) : undefined),
    [before, after],
  )
  const isCut = Boolean(before.results?.truncated || after.results?.truncated)
  return (
    <section className="stack shrink gap-16" aria-label="Difference between two runs">
      <Group justify="space-between" gap="8px 16px">
        <h2>
          What changed from <Time run={before} /> to <Time run={after} />
        </h2>
        <Button variant="default" leftSection={<X size={14} aria-hidden />} onClick={onClose}>
          Close comparison
        </Button>
      </Group>
      <DefinitionChanges before={before} after={after} />
      {difference ? (
        <>
          <Rows difference={difference} />
          <LeftOut difference={difference} isCut={isCut} />
        </>
      ) : (
        <Incomparable lacking={[before, after].filter(({ results }) => !results)} />
      )}
    </section>
  )
}
