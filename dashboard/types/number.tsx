import { Hash } from 'lucide-react'
import { formatNumber } from '../../contract/number-values.ts'
import { NumberEditor, numbersOf, readTypedNumber } from '../shared/values/number-editor.tsx'
import { TagsEditor } from '../shared/values/tags-editor.tsx'
import type { TypeDefinition } from './type-definition.ts'

export const number: TypeDefinition = {
  icon: Hash,
  label: 'Number',
  explanation: 'Counts and measures, exact to 30 digits',
  columnWidth: 120,
  format: (value) => formatNumber(value as number | string),
  formatPlain: String,
  isNumeric: true,
  fromPasted: (text) => readTypedNumber(text)?.value ?? text,
  editor: (props) => <NumberEditor {...props} />,
  manyEditor: (props) => <TagsEditor {...props} read={numbersOf} />,
}
