-- Deliveries that did not end well are looked for among many that did: the list by state, and replays. One that
-- succeeds at once is never in it.
create index webhook_deliveries_failed on webhook_deliveries (org, endpoint, state, event)
  where state in ('failed', 'cancelled');
