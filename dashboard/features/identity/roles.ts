// Names and descriptions of roles.
import type { Role } from '../../../contract/roles.ts'

export const ROLE_NAMES: Readonly<Record<Role, { label: string; article: string; may: string }>> = {
  owner: {
    label: 'Owner',
    article: 'an owner',
    may: 'Everything, including adding and removing owners',
  },
  admin: {
    label: 'Admin',
    article: 'an admin',
    may: 'Manages members, objects, settings and API keys',
  },
  member: {
    label: 'Member',
    article: 'a member',
    may: 'Works with records and activities, sees settings',
  },
}
