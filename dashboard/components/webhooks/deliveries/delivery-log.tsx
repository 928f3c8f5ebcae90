/** What was sent to an endpoint. */
export function DeliveryLog({ endpointId }: { endpointId: string }) {
  return <div data-endpoint={endpointId} />
}
