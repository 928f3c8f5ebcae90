import { Calendar } from 'lucide-react'
import { formatNearDay } from '../shared/table/near-day.ts'
import { PlainCell } from '../shared/table/plain-cell.tsx'
import { formatDay } from '../shared/values/format.ts'
import { DayEditor } from '../shared/values/text-editor.tsx'
import { useTicking } from '../ui/use-ticking.ts'
import type { TypeDefinition } from './type-definition.ts'

function DayCell({ value }: { value: string }) {
  const text = useTicking((now) => formatNearDay(value, new Date(now)))
  return <PlainCell text={text} exact={formatDay(value)} />
}

export const date: TypeDefinition = {
  icon: Calendar,
  label: 'Date',
  explanation: 'A calendar day, the same in every time zone',
  columnWidth: 130,
  format: (value) => formatDay(String(value)),
  formatPlain: String,
  cell: ({ value }) => <DayCell value={String(value)} />,
  editor: (props) => <DayEditor {...props} />,
  operatorWords: {
    greaterThan: 'is after',
    lessThan: 'is before',
    greaterThanOrEqual: 'is on or after',
    lessThanOrEqual: 'is on or before',
  },
}
