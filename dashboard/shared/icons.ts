// Which icon stands for what: the same thing has the same icon everywhere.
import {
  AtSign,
  Box,
  Briefcase,
  Building2,
  Calendar,
  CircleCheck,
  DollarSign,
  Hash,
  Link2,
  List,
  type LucideIcon,
  MapPin,
  Phone,
  Tag,
  Type,
  User,
  UserRound,
} from 'lucide-react'
import type { AttributeType } from '../../contract/attribute-types.ts'

const ATTRIBUTE_ICONS: Readonly<Record<AttributeType, LucideIcon>> = {
  text: Type,
  email: AtSign,
  number: Hash,
  phone_number: Phone,
  checkbox: CircleCheck,
  name: User,
  address: MapPin,
  currency: DollarSign,
  date: Calendar,
  select: Tag,
  list: List,
  reference: Link2,
}
export const attributeIcon = (type: AttributeType): LucideIcon => ATTRIBUTE_ICONS[type]

const OBJECT_ICONS: Readonly<Record<string, LucideIcon>> = {
  people: UserRound,
  companies: Building2,
  deals: Briefcase,
}
export const objectIcon = (slug: string): LucideIcon => OBJECT_ICONS[slug] ?? Box
