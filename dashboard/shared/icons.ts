// The icons of objects on all pages.
import { Box, Briefcase, Building2, type LucideIcon, UserRound } from 'lucide-react'

const OBJECT_ICONS: Readonly<Record<string, LucideIcon>> = {
  people: UserRound,
  companies: Building2,
  deals: Briefcase,
}
export const objectIcon = (slug: string): LucideIcon => OBJECT_ICONS[slug] ?? Box
