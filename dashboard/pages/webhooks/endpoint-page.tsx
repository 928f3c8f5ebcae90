import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { endpointQuery } from '../../api/webhooks.ts'
import { SettingsPage } from '../../components/settings/settings-page.tsx'
import { DeliveryLog } from '../../components/webhooks/deliveries/delivery-log.tsx'
import { ReplayMenu } from '../../components/webhooks/deliveries/replay-menu.tsx'
import { useSpace } from '../../components/webhooks/space.tsx'

export function EndpointPage() {
  const { endpointId = '' } = useParams({ strict: false })
  const { data: endpoint } = useSuspenseQuery(endpointQuery(useSpace(), endpointId))
  return (
    <SettingsPage
      title={endpoint.url}
      lead={endpoint.description}
      width="wide"
      actions={<ReplayMenu endpointId={endpointId} />}
    >
      <DeliveryLog endpointId={endpointId} />
    </SettingsPage>
  )
}
