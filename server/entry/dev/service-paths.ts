/** Addresses of the service. All others are pages of the dashboard, or files that Vite makes from its sources. */
export const SERVICE_PATHS =
  '^/(?:api/v1|dashboard/api|portal/api|files|docs|healthz|readyz|metrics|\\.well-known)(?:[/?]|$)'
