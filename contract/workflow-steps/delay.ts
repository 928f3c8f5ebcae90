import { Type } from 'typebox'
import { StrictObject } from '../common.ts'
import { RUN_DAYS_MAX } from '../workflow-states.ts'
import { field, type StepContract, Template } from './fields.ts'

export const delay: StepContract = {
  group: 'Flow',
  description: 'For a duration, or until a time',
  keywords: 'wait sleep pause',
  key: 'wait',
  config: StrictObject({
    seconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: RUN_DAYS_MAX * 86_400, title: 'For', description: 'Seconds' }),
    ),
    until: Type.Optional(Template('Until', 'A date or timestamp, such as a close date')),
    timeOfDay: Type.Optional(
      Type.String({
        pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
        title: 'At',
        description: 'Time of day on that date; without a date, the next time the clock shows it',
      }),
    ),
    timezone: Type.Optional(
      Type.String({
        ...field('timeZone', 'Time zone', "Defaults to the organization's time zone"),
        maxLength: 100,
      }),
    ),
  }),
  defaults: { seconds: 3600 },
  outputs: { until: 'date' },
  isDeciding: true,
}
