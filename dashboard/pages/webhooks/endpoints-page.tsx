import { Anchor } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { endpointsQuery } from '../../api/webhooks.ts'
import { SettingsPage } from '../../components/settings/settings-page.tsx'
import { useSpace } from '../../components/webhooks/space.tsx'

export function EndpointsPage() {
  const space = useSpace()
  const { data: endpoints } = useSuspenseQuery(endpointsQuery(space))
  return (
    <SettingsPage title="Webhooks" lead="Webhooks tell your own services what happens here." width="wide">
      <ul>
        {endpoints.map(({ id, url }) => (
          <li key={id}>
            <Anchor component={Link} to={space.paths.endpoint(id)}>
              {url}
            </Anchor>
          </li>
        ))}
      </ul>
    </SettingsPage>
  )
}
