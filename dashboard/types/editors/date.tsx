import { formatDay } from '../../shared/values/format.ts'
import { readTypedDay } from '../../shared/values/read-day.ts'
import { DayEditor, TypedText } from '../../shared/values/text-editor.tsx'
import type { TypeEditor } from './type-editor.ts'

const savedDay = (day: unknown) => `Saved as ${formatDay(String(day))}`

export const date: TypeEditor = {
  fromPasted: (text) => readTypedDay(text) ?? text,
  editor: (props) => <DayEditor {...props} />,
  typedEditor: (props) => <TypedText {...props} read={readTypedDay} explain={savedDay} />,
}
