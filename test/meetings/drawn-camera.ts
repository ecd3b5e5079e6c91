/** A camera that shows a drawn figure in front of a wall of one hue; the microphone remains the browser's. */
export const cameraOf = (hue: number) => `{
  const devices = navigator.mediaDevices;
  const ask = devices.getUserMedia.bind(devices);
  const draw = (pen, at) => {
    const wall = pen.createLinearGradient(0, 0, 640, 360);
    wall.addColorStop(0, "hsl(${hue} 55% 62%)");
    wall.addColorStop(1, "hsl(${hue} 60% 38%)");
    pen.fillStyle = wall;
    pen.fillRect(0, 0, 640, 360);
    const sway = Math.sin(at / 700 + ${hue}) * 6;
    pen.fillStyle = "hsl(${hue} 45% 24%)";
    pen.beginPath();
    pen.ellipse(320 + sway / 2, 400, 150, 150, 0, 0, 7);
    pen.fill();
    pen.fillStyle = "hsl(${hue} 40% 82%)";
    pen.beginPath();
    pen.ellipse(320 + sway, 170, 66, 80, 0, 0, 7);
    pen.fill();
  };
  devices.getUserMedia = async (wanted) => {
    if (!wanted.video) return ask(wanted);
    const sound = wanted.audio ? (await ask({ audio: wanted.audio })).getTracks() : [];
    const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 360 });
    const pen = canvas.getContext("2d");
    setInterval(() => draw(pen, performance.now()), 66);
    return new MediaStream([...sound, ...canvas.captureStream(15).getTracks()]);
  };
}`;
