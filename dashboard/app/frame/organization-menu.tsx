// The menu with the current organization. It switches to other organizations.
import { Menu, UnstyledButton } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Check, ChevronsUpDown, Plus } from 'lucide-react'
import { homePaths } from '../../features/home/paths.ts'
import { identityPaths } from '../../features/identity/paths.ts'
import { sessionQuery } from '../../shared/api/session.ts'
import { useOrganization } from '../../shared/use-organization.ts'
import classes from '../../ui/frame.module.css'

function Others({ current }: { current: string }) {
  const { data: session } = useSuspenseQuery(sessionQuery())
  const navigate = useNavigate()
  return (session?.organizations ?? []).map(({ id, slug, name }) => (
    <Menu.Item
      key={id}
      onClick={() => navigate({ to: homePaths.home(slug) })}
      rightSection={id === current && <Check size={14} aria-label="Current" />}
    >
      {name}
    </Menu.Item>
  ))
}

export function OrganizationMenu() {
  const { organization } = useOrganization()
  const navigate = useNavigate()
  return (
    <Menu width={216} position="bottom-start">
      <Menu.Target>
        <UnstyledButton className="nav-item">
          <span className={classes.initial} data-initial={organization.name.slice(0, 1).toUpperCase()} />
          <span className="visually-hidden">Organization: </span>
          <strong className="truncate fill">{organization.name}</strong>
          <ChevronsUpDown size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Organizations</Menu.Label>
        <Others current={organization.id} />
        <Menu.Divider />
        <Menu.Item
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => navigate({ to: identityPaths.newOrganization() })}
        >
          New organization
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
