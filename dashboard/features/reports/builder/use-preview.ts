// The preview of the draft: checked when typing stops, then run for the first rows. Superseded requests are cancelled,
// also at the service.
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
  /** The definition of the request. */
  definition: Draft
  results: ReportResults | null
  /** Why there are no results. */
  error: string | null
}

export interface Preview {
  /** The latest answer. */
  answer: Answer | undefined
  /** Whether the answer is for an earlier draft. */
  isStale: boolean
  /** Whether a request is running. */
  isBusy: boolean
  problems: readonly Problem[]
  /** The error of a failed request. */
  error: unknown
  retry(): void
}

/** The part of the draft that can cause problems: without name and description. */
function questionOf({ description: _, ...draft }: Draft): Draft {
  return { ...draft, name: 'Report' }
}

/** The part of the draft that affects the rows: also without the chart. */
function rowsOf({ chart: _, ...draft }: Draft): Draft {
  return questionOf(draft)
}

/** Compared by hash, like in the query cache: the service returns the keys of a saved definition in another order. */
const isSameQuestion = (one: Draft, other: Draft) => hashKey([one]) === hashKey([other])

/** Retries if another report of the organization is running, or the service is unavailable. */
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
