// The state of the builder: draft, preview, problems and saving.
import { useMemo, useState } from 'react'
import type { ReportDetail } from '../api/reports.ts'
import type { Builder, Filtering } from './builder-context.ts'
import type { Draft } from './builder-state.ts'
import { focusName } from './focus.ts'
import { sentenceOf } from './problem-places.ts'
import { allFields } from './report-fields.ts'
import { type Models, reportObjects } from './report-objects.ts'
import { useDraft } from './use-draft.ts'
import { usePreview } from './use-preview.ts'
import { useSaving } from './use-saving.ts'

export interface BuilderStart {
  title: string
  /** undefined for a new report. */
  report: ReportDetail | undefined
  /** Key under which the draft is stored. */
  draftKey: string
  definition: Draft
  models: Models
  readOnlyReason: string | undefined
  onCreated(id: string): void
}

export function useBuilderState(start: Omit<BuilderStart, 'title'>): Builder {
  const { report, models, definition, draftKey, onCreated, readOnlyReason } = start
  const drafting = useDraft({ key: draftKey, definition, version: report?.version })
  const { draft } = drafting
  const preview = usePreview(draft)
  const saving = useSaving({ report, drafting, onCreated })
  const [filtering, setFiltering] = useState<Filtering>()
  const [announcement, announce] = useState('')
  const { source, joins } = draft
  const objects = useMemo(
    () => (source.objectId === '' ? [] : reportObjects(models, { source, joins })),
    [models, source, joins],
  )
  const fields = useMemo(() => allFields(objects), [objects])
  const save = async (over?: number) => {
    const isSaved = await saving.save(over)
    if (draft.name.trim() === '') focusName()
    return isSaved
  }
  return {
    ...drafting,
    ...{ report, models, objects, fields, preview, readOnlyReason },
    saving: { ...saving, save },
    problemsOf: (sentence) => preview.problems.filter((one) => sentenceOf(one) === sentence),
    filtering,
    setFiltering,
    announcement,
    announce,
  }
}
