/** A worker of the browser that helps a search: see helper.ts. */

import { helper, type Lent } from "./helper";

const scope = self as unknown as {
  postMessage(message: "ready"): void;
  onmessage: ((event: MessageEvent<Lent>) => void) | null;
};

scope.onmessage = ({ data }) => {
  const { serve } = helper(data);
  scope.postMessage("ready");
  serve();
};
