import { Calendar } from 'lucide-react'
import { formatDay } from '../shared/values/format.ts'
import { readTypedDay } from '../shared/values/read-day.ts'
import { DayEditor, TypedText } from '../shared/values/text-editor.tsx'
import type { TypeDefinition } from './type-definition.ts'

const savedDay = (day: unknown) => `Saved as ${formatDay(String(day))}`

export const date: TypeDefinition = {
  icon: Calendar,
  label: 'Date',
  explanation: 'A calendar day, the same in every time zone',
  columnWidth: 130,
  format: (value) => formatDay(String(value)),
  formatPlain: String,
  fromPasted: (text) => readTypedDay(text) ?? text,
  editor: (props) => <DayEditor {...props} />,
  typedEditor: (props) => <TypedText {...props} read={readTypedDay} explain={savedDay} />,
  operatorWords: {
    greaterThan: 'is after',
    lessThan: 'is before',
    greaterThanOrEqual: 'is on or after',
    lessThanOrEqual: 'is on or before',
  },
}
