import { Type } from 'lucide-react'
import { TagsEditor } from '../shared/values/tags-editor.tsx'
import { TextEditor } from '../shared/values/text-editor.tsx'
import type { TypeDefinition } from './type-definition.ts'

export const text: TypeDefinition = {
  icon: Type,
  label: 'Text',
  explanation: 'Text of any length, such as a job title',
  columnWidth: 180,
  editor: (props) => <TextEditor {...props} />,
  manyEditor: (props) => <TagsEditor {...props} />,
  firstOperator: 'contains',
}
