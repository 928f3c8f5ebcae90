import { Type } from 'typebox'
import { StrictObject } from '../common.ts'
import { LOOP_ITEMS_MAX } from '../workflow-states.ts'
import { field, type StepContract } from './fields.ts'

export const runReport: StepContract = {
  group: 'Records',
  description: 'Run a report and use its rows in later steps',
  keywords: 'chart sum total table',
  key: 'report',
  config: StrictObject({
    reportId: Type.String({ minLength: 1, maxLength: 2000, ...field('report', 'Report') }),
    rows: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LOOP_ITEMS_MAX,
        default: 100,
        title: 'Maximum rows',
        description: 'Passed to later steps; the run of the report has all rows',
      }),
    ),
  }),
  defaults: { reportId: '' },
  outputs: { runId: 'any', resultCount: 'any', columns: 'any', rows: 'any', text: 'any' },
}
