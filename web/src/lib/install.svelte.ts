/** Putting the app on the device, where the browser offers that: asked for quietly, when the person wishes it. */

interface Offer extends Event {
  prompt(): Promise<void>;
  userChoice: Promise<{ outcome: "accepted" | "dismissed" }>;
}
let offer = $state.raw<Offer | null>(null);

/** Listens from the first moment: the browser makes its offer once. */
export function listenForOffer(): void {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offer = event as Offer;
  });
  addEventListener("appinstalled", () => {
    offer = null;
  });
}

export function canInstall(): boolean {
  return offer !== null;
}

export async function install(): Promise<void> {
  const made = offer;
  offer = null; // it is good for one question
  await made?.prompt();
}
