import { Boxes, Building2, KeyRound, ShieldCheck, Undo2, UserRound, UsersRound } from 'lucide-react'
import type { Navigation } from '../../shared/navigation.ts'
import { settingsPaths } from './paths.ts'

export const settingsNavigation: Navigation = {
  settings: [
    {
      title: 'Profile',
      icon: UserRound,
      alsoKnownAs: 'password account',
      to: settingsPaths.profile,
      group: 'You',
    },
    {
      title: 'Organization',
      icon: Building2,
      alsoKnownAs: 'company currency time zone',
      to: settingsPaths.organization,
      group: 'Organization',
      label: 'General',
    },
    {
      title: 'Members',
      icon: UsersRound,
      alsoKnownAs: 'invite colleagues team users',
      to: settingsPaths.members,
      group: 'Organization',
    },
    {
      title: 'Objects',
      icon: Boxes,
      alsoKnownAs: 'attributes fields data model',
      to: settingsPaths.settingsObjects,
      group: 'Organization',
    },
    {
      title: 'Undo changes',
      icon: Undo2,
      alsoKnownAs: 'revert roll back imports workflow runs change sets',
      to: settingsPaths.undo,
      group: 'Organization',
    },
    {
      title: 'Privacy',
      icon: ShieldCheck,
      alsoKnownAs: 'erase erasure gdpr personal data',
      to: settingsPaths.privacy,
      group: 'Organization',
    },
    {
      title: 'API keys',
      icon: KeyRound,
      alsoKnownAs: 'developers token',
      to: settingsPaths.apiKeys,
      group: 'Developers',
    },
  ],
}
