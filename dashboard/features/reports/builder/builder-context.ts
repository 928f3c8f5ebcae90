// The context that all parts of the builder share.
import type { Problem } from '../../../../contract/errors.ts'
import type { Adding } from '../../../shared/filters/add-condition.tsx'
import { requiredContext } from '../../../ui/required-context.ts'
import type { ReportDetail } from '../api/reports.ts'
import type { SentenceName } from './problem-places.ts'
import type { ReportField } from './report-fields.ts'
import type { Models, ReportObject } from './report-objects.ts'
import type { Drafting } from './use-draft.ts'
import type { Preview } from './use-preview.ts'
import type { Saving } from './use-saving.ts'

/** The field for which a filter is being added. */
export type Filtering = Adding<ReportField>

export interface Builder extends Drafting {
  /** undefined for a new report. */
  report: ReportDetail | undefined
  models: Models
  objects: readonly ReportObject[]
  fields: readonly ReportField[]
  preview: Preview
  saving: Saving
  /** Why the report cannot be changed; undefined when it can. */
  readOnlyReason: string | undefined
  problemsOf(sentence: SentenceName): readonly Problem[]
  filtering: Filtering
  setFiltering(filtering: Filtering): void
  /** Text for screen readers. */
  announcement: string
  announce(text: string): void
}

export const [BuilderContext, useBuilder] = requiredContext<Builder>('Builder')
