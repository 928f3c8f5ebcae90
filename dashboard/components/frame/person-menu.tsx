// Who is signed in, how the page looks, and the way out.
import { type MantineColorScheme, Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react'
import { paths } from '../../paths.ts'
import { useSignOut } from '../identity/use-sign-out.ts'
import { useOrganization } from '../use-organization.ts'
import classes from './frame.module.css'

const SCHEMES = [
  ['auto', 'As the system', Monitor],
  ['light', 'Light', Sun],
  ['dark', 'Dark', Moon],
] as const satisfies readonly (readonly [MantineColorScheme, string, typeof Sun])[]

function Schemes() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return SCHEMES.map(([scheme, label, Icon]) => (
    <Menu.Item
      key={scheme}
      leftSection={<Icon size={14} aria-hidden />}
      aria-current={scheme === colorScheme}
      fw={scheme === colorScheme ? 600 : undefined}
      onClick={() => setColorScheme(scheme)}
    >
      {label}
    </Menu.Item>
  ))
}

export function PersonMenu() {
  const { organization, user } = useOrganization()
  const navigate = useNavigate()
  const signOut = useSignOut()
  return (
    <Menu width={216} position="top-start">
      <Menu.Target>
        <UnstyledButton className={classes.item} aria-label={`${user.name}: profile and appearance`}>
          <UserRound size={16} aria-hidden />
          <span className={classes.label}>{user.name}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <Menu.Item
          leftSection={<UserRound size={14} aria-hidden />}
          onClick={() => navigate({ to: paths.profile(organization.slug) })}
        >
          Profile
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Appearance</Menu.Label>
        <Schemes />
        <Menu.Divider />
        <Menu.Item leftSection={<LogOut size={14} aria-hidden />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
