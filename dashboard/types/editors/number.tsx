import { NumberEditor, numbersOf, readTypedNumber } from '../../shared/values/number-editor.tsx'
import { TagsEditor } from '../../shared/values/tags-editor.tsx'
import type { TypeEditor } from './type-editor.ts'

export const number: TypeEditor = {
  fromPasted: (text) => readTypedNumber(text)?.value ?? text,
  editor: (props) => <NumberEditor {...props} />,
  manyEditor: (props) => <TagsEditor {...props} read={numbersOf} />,
}
