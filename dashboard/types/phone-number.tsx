import { Phone } from 'lucide-react'
import { contact } from './contact.tsx'
import type { TypeDefinition } from './type-definition.ts'

export const phoneNumber: TypeDefinition = {
  ...contact('tel'),
  icon: Phone,
  label: 'Phone number',
  explanation: 'A valid number, stored in international format',
  columnWidth: 160,
}
