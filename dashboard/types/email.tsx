import { AtSign } from 'lucide-react'
import { TextEditor } from '../shared/values/text-editor.tsx'
import { contact } from './contact.tsx'
import type { TypeDefinition } from './type-definition.ts'

export const email: TypeDefinition = {
  ...contact('mailto'),
  icon: AtSign,
  label: 'Email',
  explanation: 'A valid email address',
  columnWidth: 220,
  editor: (props) => <TextEditor {...props} type="email" />,
}
