// What the draft comes to: checked once typing stops, then tried on the first rows. What is superseded is
// cancelled, here and at the service.
import { useDebouncedValue } from '@mantine/hooks'
import { hashKey, keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Problem } from '../../../../contract/errors.ts'
import { ApiError, hasCode } from '../../../shared/api/errors.ts'
import { reportsKey } from '../../../shared/api/report-list.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { checkReport, previewReport, type ReportResults } from '../api/reports.ts'
import type { Draft } from './builder-state.ts'

const TYPING_MS = 250
const ATTEMPTS = 5
const BUSY_MS = 1000
const NONE: readonly Problem[] = []

export interface Answer {
  /** What was asked. */
  definition: Draft
  results: ReportResults | null
  /** Why there are none. */
  error: string | null
}

export interface Preview {
  /** The last one there was. */
  answer: Answer | undefined
  /** The answer is of an earlier draft. */
  isStale: boolean
  /** Something is on its way. */
  isBusy: boolean
  problems: readonly Problem[]
  /** What refused to answer at all. */
  error: unknown
  retry(): void
}

/** What makes a difference to what is wrong: not what the report is called. */
function questionOf({ description: _, ...draft }: Draft): Draft {
  return { ...draft, name: 'Report' }
}

/** What makes a difference to the rows: not how they are drawn. */
function rowsOf({ chart: _, ...draft }: Draft): Draft {
  return questionOf(draft)
}

/** As the cache compares them: the service sends the keys of a saved definition in another order. */
const isSameQuestion = (one: Draft, other: Draft) => hashKey([one]) === hashKey([other])

/** Others of the organization may be asking too. */
const isWorthAnother = (failures: number, error: unknown) =>
  failures < ATTEMPTS &&
  (hasCode(error, 'report_busy') || (error instanceof ApiError && [0, 503].includes(error.status)))

function useCheck(org: string, asked: Draft, enabled: boolean) {
  return useQuery({
    queryKey: [...reportsKey(org), 'check', asked],
    queryFn: ({ signal }) => checkReport(org, asked, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
    enabled,
  })
}

function useRows(org: string, asked: Draft, enabled: boolean) {
  return useQuery({
    queryKey: [...reportsKey(org), 'preview', asked],
    queryFn: async ({ signal }): Promise<Answer> => {
      const { results, error } = await previewReport(org, asked, signal)
      return { definition: asked, results, error }
    },
    placeholderData: keepPreviousData,
    retry: isWorthAnother,
    retryDelay: BUSY_MS,
    gcTime: 60_000,
    enabled,
  })
}

export function usePreview(draft: Draft): Preview {
  const org = useOrg()
  const [settled] = useDebouncedValue(draft, TYPING_MS)
  const asked = useMemo(() => questionOf(settled), [settled])
  const rowsAsked = useMemo(() => rowsOf(settled), [settled])
  const hasObject = asked.source.objectId !== ''
  const check = useCheck(org, asked, hasObject)
  const isSound = check.isSuccess && !check.isPlaceholderData && check.data.problems.length === 0
  const rows = useRows(org, rowsAsked, hasObject && isSound)
  const answer = hasObject ? rows.data : undefined
  const isStale = answer !== undefined && !isSameQuestion(answer.definition, rowsOf(draft))
  return {
    answer,
    isStale,
    isBusy: check.isFetching || rows.isFetching,
    problems: (hasObject && check.data?.problems) || NONE,
    error: check.error ?? rows.error ?? undefined,
    retry: () => void (check.error ? check.refetch() : rows.refetch()),
  }
}
