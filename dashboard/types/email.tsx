import { AtSign } from 'lucide-react'
import { contact } from './contact.tsx'
import type { TypeDefinition } from './type-definition.ts'

export const email: TypeDefinition = {
  ...contact('mailto'),
  icon: AtSign,
  label: 'Email',
  explanation: 'A valid email address',
  columnWidth: 220,
}
