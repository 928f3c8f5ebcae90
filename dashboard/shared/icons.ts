// The icon of each object, the same everywhere.
import { Box, Briefcase, Building2, type LucideIcon, UserRound } from 'lucide-react'

const OBJECT_ICONS: Readonly<Record<string, LucideIcon>> = {
  people: UserRound,
  companies: Building2,
  deals: Briefcase,
}
export const objectIcon = (slug: string): LucideIcon => OBJECT_ICONS[slug] ?? Box
