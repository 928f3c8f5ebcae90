// The menu of the signed-in user: profile, color scheme and sign-out.
import { Menu, UnstyledButton } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { LogOut, UserRound } from 'lucide-react'
import { useSignOut } from '../../features/identity/use-sign-out.ts'
import { settingsPaths } from '../../features/settings/paths.ts'
import { useOrganization } from '../../shared/use-organization.ts'
import { UserAvatar } from '../../shared/user-avatar.tsx'
import { ColorSchemeItems } from '../../ui/color-scheme-items.tsx'

export function PersonMenu() {
  const { organization, user } = useOrganization()
  const navigate = useNavigate()
  const signOut = useSignOut()
  return (
    <Menu width={216} position="top-start">
      <Menu.Target>
        <UnstyledButton className="nav-item" aria-label={`${user.name}: profile and appearance`}>
          <UserAvatar user={user} size={20} />
          <span className="truncate fill">{user.name}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <Menu.Item
          leftSection={<UserRound size={14} aria-hidden />}
          onClick={() => navigate({ to: settingsPaths.profile(organization.slug) })}
        >
          Profile
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Appearance</Menu.Label>
        <ColorSchemeItems />
        <Menu.Divider />
        <Menu.Item leftSection={<LogOut size={14} aria-hidden />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
