// The records that match the text. Without text, the records that were opened last.
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ActivityHit, SearchHit } from '../../../contract/search.ts'
import { ACTIVITY_KINDS } from '../../features/activities/activity-icons.ts'
import { type CrmObject, objectsQuery } from '../../shared/api/objects.ts'
import { recordHintQuery } from '../../shared/api/record-names.ts'
import { everythingQuery } from '../../shared/api/search.ts'
import { objectIcon } from '../../shared/icons.ts'
import { activityLink, recordPaths } from '../../shared/paths.ts'
import { useOrg } from '../../shared/use-organization.ts'
import { formatDay } from '../../shared/values/format.ts'
import { localDay } from '../../shared/values/local-input.ts'
import type { Entry } from './entry.ts'
import { openedRecords } from './opened-records.ts'

const TYPING_MS = 150
const TEXT_MAX = 200

function useEntryOf() {
  const org = useOrg()
  const navigate = useNavigate()
  return (object: CrmObject | undefined, { objectId, recordId, name, matched, hint }: SearchHit): Entry => ({
    id: `record-${recordId}`,
    title: name,
    icon: objectIcon(object?.slug ?? ''),
    record: { object: object?.slug ?? '', recordId },
    note: object?.singularName,
    hint,
    matched: matched?.value,
    run: () => void navigate({ to: recordPaths.record(org, object?.slug ?? objectId, recordId) }),
  })
}

function useActivityEntryOf() {
  const org = useOrg()
  const navigate = useNavigate()
  return ({ id, type, title, activityDate }: ActivityHit): Entry => ({
    id: `activity-${id}`,
    title,
    icon: ACTIVITY_KINDS[type].icon,
    note: formatDay(localDay(activityDate)),
    run: () => void navigate(activityLink(org, id)),
  })
}

/** @param typed the text in the field */
export function useFound(typed: string) {
  const org = useOrg()
  const text = typed.trim().slice(0, TEXT_MAX)
  const [settled] = useDebouncedValue(text, TYPING_MS)
  const { data: objects } = useSuspenseQuery(objectsQuery(org))
  const entryOf = useEntryOf()
  const activityEntryOf = useActivityEntryOf()
  const isAsked = text !== '' && settled !== ''
  const { data, error, isFetching, refetch } = useQuery({
    ...everythingQuery(org, settled),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  })
  const hits = text === '' ? [] : (data?.records ?? [])
  return {
    entries: hits.map((hit) =>
      entryOf(
        objects.find(({ id }) => id === hit.objectId),
        hit,
      ),
    ),
    activities: text === '' ? [] : (data?.activities ?? []).map(activityEntryOf),
    /** The results, if any, are for an earlier text. */
    isLooking: text !== '' && (text !== settled || isFetching),
    isComplete: data?.isComplete ?? true,
    /** Names of the objects whose older records may be missing from the results. */
    unindexed: (data?.incomplete ?? [])
      .filter(({ reason }) => reason === 'indexing')
      .flatMap(({ objectId }) => objects.find(({ id }) => id === objectId)?.pluralName.toLowerCase() ?? []),
    error: isAsked ? error : null,
    retry: () => void refetch(),
  }
}

/** Recently opened records that still exist. */
export function useOpened(): Entry[] {
  const org = useOrg()
  const { data: objects } = useSuspenseQuery(objectsQuery(org))
  const [opened] = useState(() => openedRecords(org))
  const entryOf = useEntryOf()
  const known = opened.flatMap(({ object: ref, recordId }) => {
    const object = objects.find(({ id, slug }) => slug === ref || id === ref)
    return object ? [{ object, objectId: object.id, recordId }] : []
  })
  const names = useQueries({ queries: known.map((ref) => recordHintQuery(org, ref)) })
  return known.flatMap(({ object, ...ref }, index) => {
    const named = names[index]?.data
    if (!named) return []
    const { name, hint } = named
    return [entryOf(object, { ...ref, name, ...(hint !== undefined && { hint }) })]
  })
}
