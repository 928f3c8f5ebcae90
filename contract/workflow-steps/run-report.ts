import { Type } from 'typebox'
import { LOOP_ITEMS_MAX } from '../workflow-states.ts'
import { closed, field, type StepContract } from './fields.ts'

export const runReport: StepContract = {
  group: 'Records',
  description: 'And hand its rows to later steps',
  keywords: 'chart sum total table',
  key: 'report',
  config: Type.Object(
    {
      reportId: Type.String({ minLength: 1, maxLength: 2000, ...field('report', 'Report') }),
      rows: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: LOOP_ITEMS_MAX,
          default: 100,
          title: 'Rows at most',
          description: 'Handed to the steps after it; the run of the report keeps them all',
        }),
      ),
    },
    closed,
  ),
  defaults: { reportId: '' },
  outputs: { runId: 'any', resultCount: 'any', columns: 'any', rows: 'any', text: 'any' },
}
